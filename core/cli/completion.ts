import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package';
import { printAnswer, printNote } from './print';
import type { Shell } from './shells';

/** `completion`: prints what makes a shell ask `drivebay __complete` when Tab is pressed. */
export function completion(shell: Shell): void {
  const file = join(packageRoot, 'bin', 'completions', `drivebay.${shell}`);
  printAnswer(readFileSync(file, 'utf8').trim());
  if (process.stdout.isTTY) printNote(`to have it in each new shell: ${INSTALL[shell]}`);
}

const INSTALL: Record<Shell, string> = {
  bash: `echo 'source <(drivebay completion bash)' >> ~/.bashrc`,
  zsh: `echo 'source <(drivebay completion zsh)' >> ~/.zshrc`,
  fish: 'drivebay completion fish > ~/.config/fish/completions/drivebay.fish',
};
