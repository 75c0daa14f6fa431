import type { DeviceTable } from '../devices/device-table';
import type { LlmDevice } from '../devices/device';

/** What agents see of an opened project. */
export interface AgentProject {
  /** The project root; absent outside of a project, and where the client left the project out. */
  root?: string;
  devices: DeviceTable;
  /** Who works where neither flag nor agent.yaml names a provider; the built-in one need not be among the devices. */
  standard: { device: LlmDevice; decidedBy: 'default_provider' | 'built-in' } | undefined;
  /** The user's folder of skills, `~/.config/drivebay/skills`; it need not exist. */
  userSkills: string;
}
