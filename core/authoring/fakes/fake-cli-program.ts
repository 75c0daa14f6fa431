/** The argument that makes the program the child of a fake CLI. */
const CHILD_ARGUMENT = '--child-of-a-fake-cli';

/**
 * The source of a fake CLI. It reports to the test and gets its steps over a loopback connection. It ends with the
 * connection, even when it ignores signals, so that no test leaves a process behind.
 */
export function fakeCliProgram(port: number, readsStdin: boolean): string {
  return `'use strict';
const net = require('node:net');
const isChild = process.argv[2] === ${JSON.stringify(CHILD_ARGUMENT)};
const socket = net.connect(${port}, '127.0.0.1');
const tell = (value) => socket.write(JSON.stringify(value) + '\\n');
const quit = (code) => process.exit(code);
socket.on('error', () => quit(70)).on('close', () => quit(70));
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const write = (stream, bytes) => new Promise((resolve) => stream.write(bytes, () => resolve()));
const turn = () => new Promise((resolve) => setImmediate(resolve));
const act = {
  async output({ to, data, split }) {
    const bytes = Buffer.from(data, 'base64');
    for (let start = 0; start < bytes.length; start += split ?? bytes.length) {
      await write(process[to], bytes.subarray(start, start + (split ?? bytes.length)));
      if (split) await turn();
    }
  },
  async flood({ to, bytes }) {
    const noise = Buffer.alloc(64 * 1024, 'noise ');
    for (let sent = 0; sent < bytes; sent += noise.length) await write(process[to], noise);
  },
  async ignore({ signal }) {
    process.on(signal, () => {});
  },
  async fork({ ignores, holdsOutput, detached }) {
    const output = holdsOutput ? 'inherit' : 'ignore';
    const options = { stdio: ['ignore', output, output], detached };
    const args = [__filename, ${JSON.stringify(CHILD_ARGUMENT)}, ...(ignores ? [ignores] : [])];
    require('node:child_process').spawn(process.execPath, args, options).on('error', () => {});
  },
  async exit({ code }) {
    quit(code);
  },
  async die({ signal }) {
    process.kill(process.pid, signal);
    await new Promise(() => {});
  },
};

let last = Promise.resolve();
let rest = '';
socket.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const step = JSON.parse(line);
    last = last.then(() => act[step.do](step)).then(() => tell({ done: true }));
  }
});

if (isChild) {
  if (process.argv[3]) process.on(process.argv[3], () => {});
  tell({ child: true, pid: process.pid, parent: process.ppid });
} else {
  tell({ argv: process.argv.slice(2), env: { ...process.env }, cwd: process.cwd(), pid: process.pid });
  if (${readsStdin}) {
    process.stdin.setEncoding('utf8').on('data', (input) => tell({ input }));
    process.stdin.on('error', () => {});
    process.stdin.on('end', () => tell({ isEnd: true }));
  } else {
    process.stdin.destroy();
    tell({ isEnd: true });
  }
}
`;
}
