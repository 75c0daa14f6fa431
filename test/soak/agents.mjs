import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { questionOf, readPieces } from './marks.mjs';

const cli = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'cli');

/** An agent process, as the commands start it: the control API streams its events, from `created` to `exit`. */
export function runAgent(provider, pieces) {
  return async ({ house }, mark) => {
    const { work: workingDirectory } = house;
    const body = {
      intent: questionOf(mark.name),
      workingDirectory,
      project: { workingDirectory },
      attach: true,
      provider,
    };
    const { status, text } = await house.call('POST', '/v1/processes', body);
    const events =
      status === 201
        ? text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [];
    const last = events.at(-1);
    mark.uuid = events[0]?.uuid;
    if (last?.type !== 'exit') throw new Error(`an agent process without an end: ${status} ${text.slice(-300)}`);
    if (last.state !== 'done') return `an agent process ended as ${JSON.stringify(last)}`;
    const answer = events.filter(({ type, call }) => type === 'text' && call === undefined).map((event) => event.text);
    return readAnswer(mark, answer.join(''), pieces);
  };
}

/** The same of a program that does not end by itself: its user closes the connection. */
export function leaveAgent(provider) {
  return async ({ house }, mark) => {
    const { work: workingDirectory } = house;
    const intent = `${questionOf(mark.name)} And hold.`;
    const body = { intent, workingDirectory, project: { workingDirectory }, attach: true, provider };
    const answer = await house.call('POST', '/v1/processes', body, { leaveAfterMs: 500 + Math.random() * 5_000 });
    return answer.left ? 'left' : `an agent process that ended by itself: ${answer.text.slice(-300)}`;
  };
}

/** The command, as a user types it. */
export function runCommand(provider, pieces) {
  return async ({ house }, mark) => {
    const args = [cli, 'run', '--no-stdin', '--provider', provider, questionOf(mark.name)];
    const child = spawn(process.execPath, args, { cwd: house.work, env: house.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`drivebay run ended with ${code}: ${stderr.slice(-300)}`);
    return readAnswer(mark, stdout, pieces);
  };
}

function readAnswer(mark, text, pieces) {
  // The last piece of an answer in a terminal may have lost its space.
  const { number, fault } = readPieces(mark.name, `${text.trimEnd()} `, pieces);
  mark.number = number;
  return fault;
}
