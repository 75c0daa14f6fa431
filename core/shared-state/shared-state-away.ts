/** The sums of all machines are not known, and the configuration wants no request without them. */
export class SharedStateAway extends Error {
  readonly code = 'shared_state_unavailable';
  constructor() {
    super('the state that several machines share cannot be reached, and shared_state.required is set');
    this.name = 'SharedStateAway';
  }
}
