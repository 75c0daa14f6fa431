import { checkConfiguration, configurations } from './configurations';
import { hold, MANY } from './hold';

test('a configuration is read, or its problems are told', () => {
  hold(configurations, MANY, checkConfiguration);
});
