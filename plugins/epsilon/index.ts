import type { DriverContext } from 'drivebay/plugin';
import { EpsilonDriver } from './epsilon-driver';
import type { Options } from './options';

export default function createDriver(context: DriverContext<Options>): EpsilonDriver {
  return new EpsilonDriver(context);
}
