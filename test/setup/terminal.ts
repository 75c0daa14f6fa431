import { existsSync } from 'node:fs';
import { LiveCli } from './live-cli';
import { cliPath } from './run-cli';

// The program of util-linux that runs another one on a terminal; macOS has one with other options.
export const inTerminal = process.platform === 'linux' && existsSync('/usr/bin/script') ? test : test.skip;

/** The program on a terminal of 80 columns. */
export class Terminal extends LiveCli {
  constructor(
    home: { environment(more: Record<string, string>): Record<string, string> },
    words: string[],
    redirect = '',
  ) {
    // In the shell that `script` starts, words with quotes in them are taken from the environment.
    const variables = Object.fromEntries(words.map((word, index) => [`WORD_${index}`, word]));
    const line = `stty cols 80 rows 24; exec "$NODE" "$CLI" ${words.map((_, index) => `"$WORD_${index}"`).join(' ')} ${redirect}`;
    const more = { NODE: process.execPath, CLI: cliPath, TERM: 'xterm', SHELL: '/bin/sh' };
    super(['-qefc', line, '/dev/null'], { env: home.environment({ ...variables, ...more }) }, ['/usr/bin/script']);
  }

  override type(keys: string): this {
    this.child.stdin!.write(keys);
    return this;
  }
}
