import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The server's content security policy allows no inline script, style or data address: nothing is inlined.
export default defineConfig({
  plugins: [svelte()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2022' },
  server: {
    proxy: {
      '/ws': { target: 'ws://127.0.0.1:8080', ws: true, changeOrigin: true },
      '/v1': 'http://127.0.0.1:8080',
    },
  },
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
});
