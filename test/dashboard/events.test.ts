import { RawConnection } from '../gateway/wire';
import { DaemonHome } from '../setup/daemon-home';
import { RunningGateway } from '../setup/running-gateway';
import { DashboardClient } from './dashboard-client';

// A daemon that waited for its readers would need the 10 s that running answers have.
test('any number of readers may watch, and a daemon that ends waits for none of them', async () => {
  const home = new DaemonHome();
  const gateway = await RunningGateway.start(['--demo'], { env: home.environment() });
  const client = await DashboardClient.open(home);
  // More than the system keeps for a reader that does not read.
  const project = { workingDirectory: home.directory, demo: true };
  const request = { intent: 'x'.repeat(1024 * 1024), workingDirectory: home.directory, provider: 'demo', project };
  for (let index = 0; index < 10; index++) await home.call('POST', '/v1/processes', request);
  const readers = await Promise.all(Array.from({ length: 30 }, () => client.events()));
  expect(readers.map(({ response }) => response.statusCode)).toEqual(readers.map(() => 200));
  const deaf = await RawConnection.open(gateway.port);
  deaf.write(`GET /dashboard/api/events?after=1 HTTP/1.1\r\nHost: localhost\r\nCookie: ${client.cookie}\r\n\r\n`);
  await deaf.until(/"kind":"gap"/);
  deaf.socket.pause();
  const started = performance.now();
  expect(await gateway.stop()).toBe(0);
  expect(performance.now() - started).toBeLessThan(9_500);
  await Promise.all(readers.map((reader) => reader.closed()));
  expect(gateway.stderr).not.toMatch(/Warning/);
  deaf.socket.destroy();
});
