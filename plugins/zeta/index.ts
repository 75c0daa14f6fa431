import type { DriverContext } from 'drivebay/plugin';
import type { Options } from './options';
import { ZetaDriver } from './zeta-driver';

export default function createDriver(context: DriverContext<Options>): ZetaDriver {
  return new ZetaDriver(context);
}
