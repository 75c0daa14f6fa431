import { join } from 'node:path';
import { isFields } from '../../fields';
import { homeFolder } from '../../paths';
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
    const home = homeFolder(environment) ?? '/';
    this.file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
    this.logCommand = ['tail', join(home, 'Library', 'Logs', `${LABEL}.log`)];
  }

  describe({ command: words, workingDirectory, environment, environmentFile }: ServicePlan): string {
    // launchd reads no files of variables: a shell reads the file and then becomes the program.
    const load = `set -a; [ -r "$0" ] && . "$0"; set +a; exec "$@"`;
    const log = this.logCommand.at(-1)!;
    const agent = {
      Label: LABEL,
      ProgramArguments: ['/bin/sh', '-c', load, environmentFile, ...words],
      WorkingDirectory: workingDirectory,
      EnvironmentVariables: environment,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 10,
      ExitTimeOut: 45,
      StandardOutPath: log,
      StandardErrorPath: log,
    };
    return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${toXml(agent)}
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

function toXml(value: unknown): string {
  if (typeof value === 'boolean') return `<${value}/>`;
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (Array.isArray(value)) return ['<array>', ...value.map(toXml), '</array>'].join('\n');
  if (!isFields(value)) return `<string>${escape(String(value))}</string>`;
  const lines = Object.entries(value).flatMap(([name, each]) => [`<key>${escape(name)}</key>`, toXml(each)]);
  return ['<dict>', ...lines, '</dict>'].join('\n');
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
