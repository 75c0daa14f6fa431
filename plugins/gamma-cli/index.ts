import type { DriverContext } from 'drivebay/plugin';
import { GammaCliDriver } from './gamma-cli-driver';
import type { Options } from './options';

export default function createDriver(context: DriverContext<Options>): GammaCliDriver {
  return new GammaCliDriver(context);
}
