import type { DriverContext } from 'drivebay/plugin';
import { EtaDriver } from './eta-driver';
import type { Options } from './options';

export default function createDriver(context: DriverContext<Options>): EtaDriver {
  return new EtaDriver(context);
}
