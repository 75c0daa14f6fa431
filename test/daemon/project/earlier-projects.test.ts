import { join } from 'node:path';
import { EventStream } from '../../../core/record/event-stream';
import { Ledger } from '../../../core/record/ledger';
import { Redactor } from '../../../core/contract/redact';
import { openProject, type Project } from '../../../core/daemon/project/project';
import { createLogger } from '../../../core/log/logger';
import { collectGarbage } from '../../setup/collect-garbage';
import { COMMONJS } from '../../setup/driver-code';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
home.plugin('plain', { code: COMMONJS });
const redactor = new Redactor();
const log = createLogger({ level: 'silent', format: 'text', redactor });
const state = join(home.directory, 'state');
const parts = {
  ...{ workingDirectory: home.directory, environment: home.environment(), useProject: true, log, redactor },
  ...{ stream: new EventStream(), ledger: new Ledger({ state, redactor, log }) },
};

/** Two providers that change in turn, so that each is kept by every other reading. */
function configure(count: number): void {
  const [first, second] = [Math.floor(count / 2), Math.floor((count + 1) / 2)];
  home.configure(`version: "1"
providers:
  - { name: a, driver: plain, timeout_sec: ${first + 1} }
  - { name: b, driver: plain, timeout_sec: ${second + 1} }
routes:
  - { name: smart, targets: [a, b] }
`);
}

async function readAgain(
  count: number,
  last: Project,
  gone: WeakRef<object>[],
  options: typeof parts,
): Promise<Project> {
  configure(count);
  const next = openProject({ ...options, earlier: last });
  const kept = next.devices.llms();
  const lost = last.devices.llms().filter((device) => !kept.includes(device));
  gone.push(...lost.map((device) => new WeakRef(device)));
  await last.made.retire(next.made);
  return next;
}

configure(0);

test.each([
  ['outside of a project', '.'],
  ['in a project', 'work'],
])('%s, what a project that is read again no longer has is kept by nothing', async (_, folder) => {
  home.write(join(folder, '.drivebay/placeholder'), '');
  const options = { ...parts, workingDirectory: join(home.directory, folder) };
  const gone: WeakRef<object>[] = [];
  let last = openProject(options);
  for (let count = 1; count <= 6; count += 1) last = await readAgain(count, last, gone, options);
  await collectGarbage();
  expect(gone.length).toBeGreaterThanOrEqual(5);
  expect(gone.map((device) => (device.deref() as { name: string } | undefined)?.name)).toEqual(
    gone.map(() => undefined),
  );
  expect(last.devices.llms()).toHaveLength(3);
  await last.close();
});

test('a project that is read again makes no schema anew, because zod keeps facts about each one', async () => {
  const first = openProject(parts);
  const set = jest.spyOn(WeakMap.prototype, 'set');
  const next = await readAgain(1, first, [], parts);
  const schemas = set.mock.calls.filter(([key]) => typeof key === 'object' && '_zod' in key);
  set.mockRestore();
  expect(schemas).toHaveLength(0);
  await next.close();
});
