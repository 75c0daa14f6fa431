import { valueOf } from '../../config/located';
import { formatPosition, UsageError } from '../../errors';
import type { Project } from './project';

/**
 * Throws a UsageError where a gateway without a key would let every program of this machine use the tools of an agent
 * (product.md 4).
 */
export function demandKey({ entries, plugins }: Pick<Project, 'entries' | 'plugins'>): void {
  for (const { name, driver, fields } of entries) {
    const option = fields.entries.get('gateway_tools');
    if (!option || valueOf(option) !== true) continue;
    if (!Object.hasOwn(plugins.find(driver)?.manifest?.options ?? {}, 'gateway_tools')) continue;
    throw new UsageError(
      `provider "${name}" lets chats of the gateway use its tools (gateway_tools, ${formatPosition(option.place)}), so the gateway needs a key`,
      'run: drivebay serve --api-key-env NAME, with a key of your choice in the variable NAME; or take gateway_tools out',
    );
  }
}
