import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT } from './processes.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** The programs behind the providers of these names. Both speak what this driver understands. */
export const FAKE_CLIS = { sh: join(here, 'fake-cli.sh'), node: join(here, 'fake-cli.mjs') };
export const CLI_DRIVER = 'alpha-cli';
export const CLI_GRACE_S = 1;
/** Until the gateway has looked for what a run left. */
export const AFTER_RUN_MS = 1200;
/** How many of them may run at once, for one provider. */
export const CLI_CONCURRENCY = 50;

// Of the size that the driver sends for a request of the bench.
const PROMPT = 'How long is a piece of string? '.repeat(29);

/** Runs a program as its driver does, without a gateway; resolves when it has ended. `onText` gets what it prints. */
export function runDirectly(cli, model, onText) {
  return new Promise((resolve, reject) => {
    const child = spawn(FAKE_CLIS[cli], ['-p', '--model', model], {
      env: ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    child.on('error', reject);
    child.stdin.on('error', reject);
    child.stdout.setEncoding('utf8').on('data', (text) => onText?.(text));
    child.stderr.resume();
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${cli} ended with exit code ${code}`))));
    child.stdin.end(PROMPT);
  });
}
