import { checkConfiguration, configurations } from './configurations';
import { hold, MANY } from './hold';

// Two milliseconds each: as many as the other slow files have would take longer than all of them.
test('a configuration is read, or its problems are told', () => {
  hold(configurations, MANY / 10, checkConfiguration);
});
