import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningGateway } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
home.providers('name: local, driver: chat-compat, base_url: "http://127.0.0.1:9/v1"');

test('a gateway that starts without mcp.json reads nothing of the SDK of tool servers', async () => {
  const told = join(home.directory, 'loaded');
  const tell = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, Object.keys(require.cache).join('\\n')));`;
  const env = home.environment({ NODE_OPTIONS: `--require ${home.write('tell.cjs', tell)}` });
  const gateway = await RunningGateway.start([], { env, cwd: home.directory });
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  expect(await gateway.stop()).toBe(0);
  const names = readFileSync(told, 'utf8')
    .split('\n')
    .flatMap((file) => /\/dist\/(.*)\.js$/.exec(file)?.[1] ?? []);
  expect(names).toEqual(expect.arrayContaining(['cli', 'lib/yaml']));
  expect(names.filter((name) => !/^(cli|lib\/(yaml|zod|undici)|plugins\/[\w-]+\/index)$/.test(name))).toEqual([]);
});
