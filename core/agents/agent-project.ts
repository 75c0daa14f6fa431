import type { DeviceTable } from '../vfs/device-table';

/** What agents see of an opened project. */
export interface AgentProject {
  /** The project root; absent outside of a project, and where the client left the project out. */
  root?: string;
  devices: DeviceTable;
  /** The provider to use where neither flag nor agent.yaml names one. */
  defaultProvider?: string;
  /** What made it the default. */
  defaultDecidedBy: 'default_provider' | 'built-in';
  /** The user's folder of skills, `~/.config/drivebay/skills`; it need not exist. */
  userSkills: string;
}
