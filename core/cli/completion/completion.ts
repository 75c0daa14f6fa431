import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package';
import { printAnswer, printNote } from '../terminal/print';
import type { Shell } from './shells';

/** `completion`: prints what makes a shell ask `drivebay __complete` when Tab is pressed. */
export function completion(shell: Shell): void {
  const file = join(packageRoot, 'bin', 'completions', `drivebay.${shell}`);
  printAnswer(readFileSync(file, 'utf8').trim());
  if (process.stdout.isTTY) printNote(`to have it in each new shell: ${INSTALL[shell]}`);
}

const INSTALL: Record<Shell, string> = {
  bash: 'add to ~/.bashrc: source <(drivebay completion bash)',
  zsh: 'add to ~/.zshrc, behind compinit: source <(drivebay completion zsh)',
  fish: 'run: drivebay completion fish > ~/.config/fish/completions/drivebay.fish',
};
