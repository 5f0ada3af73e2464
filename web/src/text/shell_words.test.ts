import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellLine } from './shell_words';

test('what needs no quotes has none', () => {
  expect(shellLine(['/bin/weather', '--city', 'Oslo', 'a_b@c:1,2+3%'])).toBe(
    '/bin/weather --city Oslo a_b@c:1,2+3%',
  );
});

test('a word is never more than a word', () => {
  expect(shellLine(['echo', 'Bad Ems; rm -rf /', '', 'A=1', '$HOME', '~'])).toBe(
    `echo 'Bad Ems; rm -rf /' '' 'A=1' '$HOME' '~'`,
  );
  expect(shellLine([`it's`])).toBe(`'it'\\''s'`);
  expect(shellLine(["a\n'\\\x1b"])).toBe(`$'a\\u000a\\'\\\\\\u001b'`);
});

test('bash reads the same words', () => {
  const words = ['a b', `'"'`, '', '$(x)`y`', '\\', 'new\nline', "\x1b[31m'\\x41", 'ü 👍', '*', '!', '-n'];
  const bash = spawnSync('bash', ['-c', `printf '%s\\0' ${shellLine(words)}`], {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  expect(bash.stdout.toString().split('\0').slice(0, -1)).toEqual(words);
});
