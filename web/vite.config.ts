import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The server takes requests of its own pages only, so those of the development server's pages are passed on as such.
const SERVER = 'http://127.0.0.1:8080';

// The server's content security policy allows no inline script, style or data address: nothing is inlined.
export default defineConfig({
  plugins: [svelte()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2022' },
  server: {
    proxy: {
      '/ws': { target: SERVER, ws: true, changeOrigin: true, rewriteWsOrigin: true },
      '/v1': { target: SERVER, changeOrigin: true, headers: { Origin: SERVER } },
    },
  },
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
});
