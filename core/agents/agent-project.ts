import type { DeviceTable } from '../devices/device-table';
import type { LlmDevice } from '../devices/device';

export interface AgentProject {
  /** The project root; absent outside of a project, and when the client leaves the project out. */
  root?: string;
  devices: DeviceTable;
  /** The paths of tool servers that wait for `drivebay trust`. */
  heldServers?: readonly string[];
  /** For processes without a provider from a flag or agent.yaml. The built-in one need not be among the devices. */
  standard: { device: LlmDevice; decidedBy: 'default_provider' | 'built-in' } | undefined;
  /** The user's folder of skills, `~/.config/drivebay/skills`; it need not exist. */
  userSkills: string;
}
