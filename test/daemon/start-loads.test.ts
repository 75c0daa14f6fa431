import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../setup/running-gateway';
import { LiveCli } from '../setup/live-cli';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
home.providers('name: local, driver: chat-compat, base_url: "http://127.0.0.1:9/v1"');

test('a gateway that starts without mcp.json reads nothing of the SDK of tool servers', async () => {
  const told = join(home.directory, 'loaded');
  const tell = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, Object.keys(require.cache).join('\\n')));`;
  const env = home.environment({ NODE_OPTIONS: `--require ${home.write('tell.cjs', tell)}` });
  const port = await freePort();
  const cli = new LiveCli(['serve', '--port', String(port)], { env, cwd: home.directory });
  await cli.until(/listening on/);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  await cli.signal('SIGTERM').end();
  const names = readFileSync(told, 'utf8')
    .split('\n')
    .flatMap((file) => /\/dist\/(.*)\.js$/.exec(file)?.[1] ?? []);
  expect(names).toEqual(expect.arrayContaining(['cli', 'lib/yaml']));
  expect(names.filter((name) => !/^(cli|lib\/(yaml|zod|undici)|plugins\/[\w-]+\/index)$/.test(name))).toEqual([]);
});
