import type { DriverContext } from 'drivebay/plugin';
import { AlphaCliDriver } from './alpha-cli-driver';
import type { Options } from './options';

export default function createDriver(context: DriverContext<Options>): AlphaCliDriver {
  return new AlphaCliDriver(context);
}
