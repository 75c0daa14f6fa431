/** Stands in the bundle for packages that the SDK imports and never uses here, because something of ours takes their place. */
class Unused {
  constructor() {
    throw new Error('this part of the SDK is not in the bundle');
  }
}

export { Unused as default };
