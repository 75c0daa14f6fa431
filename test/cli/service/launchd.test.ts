import { launchd } from '../../../core/cli/service/launchd';

const plan = {
  command: ['/usr/bin/node', '/opt/a & b/bin/cli', 'serve', '--port', '8123'],
  reloadCommand: ['/usr/bin/node', '/opt/a & b/bin/cli', 'reload'],
  workingDirectory: '/Users/me',
  environment: { PATH: '/bin', PROXY: '<x>' },
  environmentFile: '/Users/me/.config/drivebay/service.env',
};

test('the agent runs the program with its words as they are, and reads the file of variables first', () => {
  const manager = launchd({ HOME: '/Users/me' });
  const strings = [...manager.describe(plan).matchAll(/<string>(.*)<\/string>/g)].map(([, text]) => text);
  expect(manager.file).toBe('/Users/me/Library/LaunchAgents/drivebay.plist');
  expect(strings).toEqual(
    expect.arrayContaining(['/bin/sh', plan.environmentFile, '/opt/a &amp; b/bin/cli', '&lt;x&gt;']),
  );
  expect(strings.indexOf('--port') + 1).toBe(strings.indexOf('8123'));
  expect(manager.describe(plan)).toContain(
    '<key>KeepAlive</key>\n<dict>\n<key>SuccessfulExit</key>\n<false/>\n</dict>',
  );
  expect(manager.describe(plan)).toContain('<key>ThrottleInterval</key>\n<integer>10</integer>');
});
