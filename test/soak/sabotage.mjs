import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function ledgerOf({ state }) {
  const folder = join(state, 'usage');
  const file = join(folder, readdirSync(folder).sort().at(-1));
  return { file, lines: readFileSync(file, 'utf8').split('\n') };
}

/** What `--sabotage` breaks, and when. A soak that does not fail then would find nothing. */
export const SABOTAGES = {
  answer: { atStart: ({ backends }) => (backends.main.isWrong = true) },
  line: {
    afterStop({ steady }) {
      const { file, lines } = ledgerOf(steady);
      writeFileSync(file, lines.filter((line, index) => index % 10 > 0 || !line.includes('"ok":true')).join('\n'));
    },
  },
  torn: {
    afterStop({ steady }) {
      const { file, lines } = ledgerOf(steady);
      writeFileSync(file, [...lines.slice(0, -1), lines[0].slice(0, 20), ''].join('\n'));
    },
  },
  twice: {
    afterStop({ steady }) {
      const { file, lines } = ledgerOf(steady);
      const line = lines.find((each) => each.includes('"main"') && each.includes('"ok":true'));
      writeFileSync(file, [line, ...lines].join('\n'));
    },
  },
  process: {
    // Ends by itself: nothing of the soak knows of it.
    afterStop({ killed }) {
      spawn('sleep', ['20'], { env: killed.env, detached: true, stdio: 'ignore' }).unref();
    },
  },
  agent: {
    beforeChecks({ steady }) {
      const file = join(steady.state, 'processes', 'index.ndjson');
      const lines = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, lines.filter((line) => !line.includes('"state":"done"')).join('\n'));
    },
  },
  file: { afterStop: ({ killed }) => writeFileSync(join(killed.scratch, 'left'), '') },
  memory: { atSample: 'leak' },
  loop: { atSample: 'block' },
};
