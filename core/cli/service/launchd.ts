import { join } from 'node:path';
import { askManager, command, type ServiceManager } from './service-manager';
import type { ServicePlan } from './service-plan';

const LABEL = 'drivebay';
const HINT = 'launchd needs a login at the screen of this Mac; without one start the gateway yourself: drivebay serve';

/** An agent of the user's own launchd. */
export class Launchd implements ServiceManager {
  readonly file: string;
  readonly logCommand: string[];
  private readonly domain = `gui/${process.getuid?.() ?? 0}`;

  constructor(environment: NodeJS.ProcessEnv) {
    const home = environment.HOME ?? '/';
    this.file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
    this.logCommand = ['tail', join(home, 'Library', 'Logs', `${LABEL}.log`)];
  }

  describe({ command: words, workingDirectory, environment, environmentFile }: ServicePlan): string {
    // launchd reads no files of variables: a shell reads the file and then becomes the program.
    const load = `set -a; [ -r "$0" ] && . "$0"; set +a; exec "$@"`;
    const log = this.logCommand.at(-1)!;
    return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${['/bin/sh', '-c', load, environmentFile, ...words].map((word) => `    <string>${escape(word)}</string>`).join('\n')}
  </array>
  <key>WorkingDirectory</key>
  <string>${escape(workingDirectory)}</string>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(environment)
  .map(([name, value]) => `    <key>${escape(name)}</key>\n    <string>${escape(value)}</string>`)
  .join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>45</integer>
  <key>StandardOutPath</key>
  <string>${escape(log)}</string>
  <key>StandardErrorPath</key>
  <string>${escape(log)}</string>
</dict>
</plist>
`;
  }

  async start(): Promise<void> {
    // A loaded agent has to be unloaded first. It fails where none is loaded.
    await askManager('launchctl', 'bootout', `${this.domain}/${LABEL}`);
    await command(['launchctl', 'bootstrap', this.domain, this.file], HINT);
  }

  async stop(): Promise<void> {
    await command(['launchctl', 'bootout', `${this.domain}/${LABEL}`], HINT);
  }

  async state(): Promise<string> {
    const { code, output } = await askManager('launchctl', 'list', LABEL);
    return code === 0 ? 'loaded' : output;
  }
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
