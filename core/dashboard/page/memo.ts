import { Component, type ComponentChildren, type FunctionComponent, h } from 'preact';

/** A component that renders only when a prop changes. The store replaces the rows that change. */
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
