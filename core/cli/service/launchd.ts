import { join } from 'node:path';
import { isFields } from '../../fields';
import { homeFolder } from '../../paths';
import { askManager, command, type ServiceManager } from './service-manager';
import type { ServicePlan } from './service-plan';

const LABEL = 'drivebay';
const HINT = 'launchd needs a login at the screen of this Mac; without one start the gateway yourself: drivebay serve';

/** The user's own launchd. */
export function launchd(environment: NodeJS.ProcessEnv): ServiceManager {
  const home = homeFolder(environment) ?? '/';
  const file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const log = join(home, 'Library', 'Logs', `${LABEL}.log`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const agent = `${domain}/${LABEL}`;
  return {
    file,
    logCommand: ['tail', log],
    describe: (plan) => describe(plan, log),
    async start() {
      // A loaded agent has to be unloaded first. It fails where none is loaded.
      await askManager('launchctl', 'bootout', agent);
      await command(['launchctl', 'bootstrap', domain, file], HINT);
    },
    stop: () => command(['launchctl', 'bootout', agent], HINT),
    async state() {
      const { code, output } = await askManager('launchctl', 'list', LABEL);
      return code === 0 ? 'loaded' : output;
    },
  };
}

function describe(
  { command: words, workingDirectory, environment, environmentFile }: ServicePlan,
  log: string,
): string {
  // launchd reads no files of variables: a shell reads the file and then becomes the program.
  const load = `set -a; [ -r "$0" ] && . "$0"; set +a; exec "$@"`;
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
