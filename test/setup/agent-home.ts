import { installAgents } from '../agents/scripted-agent';
import { DaemonHome } from './daemon-home';
import { LiveCli } from './live-cli';

const PROVIDERS = `version: "1"
default_provider: main
providers:
  - { name: main, driver: talker, default_model: m-1 }
  - { name: other, driver: talker, default_model: o-1 }
  - { name: plain, driver: plain, default_model: p-1 }
  - { name: cli, driver: worker, default_model: c-1 }
`;

/** A home with scripted providers, and a daemon that runs agents on them. */
export class AgentHome extends DaemonHome {
  constructor() {
    super();
    installAgents(this);
    this.configure(PROVIDERS);
  }

  /** Starts the program without waiting for its end. */
  live(...words: string[]): LiveCli {
    return new LiveCli(words, { env: this.environment(), cwd: this.directory });
  }

  /** What the daemon knows of a process, as `ps -a` shows it. */
  async process(pid: number): Promise<{ state: string; intent: string; end?: { reason: string } } | undefined> {
    const { text } = await this.call('GET', '/v1/processes?all=true');
    return (JSON.parse(text) as { processes: { pid: number; state: string; intent: string }[] }).processes.find(
      (each) => each.pid === pid,
    );
  }
}
