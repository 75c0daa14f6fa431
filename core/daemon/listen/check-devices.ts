import type { Logger } from '../../contract/api';
import { explainOffline } from '../../devices/describe-device';
import type { LlmDevice } from '../../devices/device';

/** Asks the backends of devices, which makes their drivers, and logs their health and their warnings. */
export async function checkDevices(devices: readonly LlmDevice[], log: Logger): Promise<void> {
  await Promise.all(
    devices.map(async (device) => {
      const health = await device.check();
      if (health.state === 'offline') log.warn(explainOffline(device.name, health.reason, health.hint));
      else log.info(`${device.name} is ${health.state}`, { ms: health.latencyMs });
      for (const warning of health.warnings ?? []) log.warn(`${device.name}: ${warning}`);
    }),
  );
}
