import type { DriverContext } from 'drivebay/plugin';
import { BetaCliDriver } from './beta-cli-driver';
import type { Options } from './options';

export default function createDriver(context: DriverContext<Options>): BetaCliDriver {
  return new BetaCliDriver(context);
}
