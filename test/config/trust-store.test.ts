import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { TrustStore } from '../../core/config/trust-store';
import { repository } from '../setup/repository';
import { tempFolder } from '../setup/temp-folder';

const state = tempFolder();
const store = new TrustStore(state);
const project = (name: string) => ({ file: `/projects/${name}`, text: 'version: "1"\n' });

/** A command that trusts fifty projects. */
const WRITER = `
  const { TrustStore } = require('./core/config/trust-store');
  const store = new TrustStore(process.argv[2]);
  for (let at = 0; at < 50; at += 1) {
    const text = 'version: "1"\\n';
    const problem = store.add('trusted', { file: '/projects/' + process.argv[3] + '-' + at, text });
    if (problem) throw new Error(problem.message);
  }
`;

test('of commands that trust at the same time none takes away what another one has added', async () => {
  const program = join(tempFolder(), 'writer.js');
  const stdin = { contents: WRITER, resolveDir: repository };
  buildSync({ stdin, bundle: true, platform: 'node', outfile: program, logLevel: 'silent' });
  const writers = ['a', 'b', 'c'];
  const ends = await Promise.all(
    writers.map((name) => once(spawn(process.execPath, [program, state, name], { stdio: 'inherit' }), 'close')),
  );
  expect(ends.map(([code]) => code as number)).toEqual([0, 0, 0]);
  const trusted = writers.flatMap((name) => Array.from({ length: 50 }, (_, at) => project(`${name}-${at}`)));
  expect(trusted.filter((each) => !store.has('trusted', each))).toEqual([]);
});
