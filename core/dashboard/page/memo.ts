import { Component, type ComponentChildren, type FunctionComponent, h } from 'preact';

/** A component that is drawn anew only for other props: rows of the state are replaced where they change. */
export function memo<Props extends object>(View: FunctionComponent<Props>): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = Object.keys(next) as (keyof Props)[];
      return names.some((name) => next[name] !== (this.props as Props)[name]);
    }

    override render(props: Props): ComponentChildren {
      return h(View, props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
