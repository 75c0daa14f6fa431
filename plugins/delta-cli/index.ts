import type { DriverContext } from 'drivebay/plugin';
import { DeltaCliDriver } from './delta-cli-driver';
import type { Options } from './options';

export default function createDriver(context: DriverContext<Options>): DeltaCliDriver {
  return new DeltaCliDriver(context);
}
