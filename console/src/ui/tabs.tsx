import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, useEffect, useRef } from 'react';
import { centre } from './centred';
import styles from './tabs.module.css';

interface TabsProps<Name extends string> {
  label: string;
  /** The open one, from the address. */
  value: Name;
  onChange: (name: Name) => void;
  /** Name, text and content; the content of the open one alone is rendered. */
  tabs: readonly (readonly [Name, string, () => ReactNode])[];
}

/** Parts of a screen of which one is shown. */
export function Tabs<Name extends string>({ label, value, onChange, tabs }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => centre(list.current, '[aria-selected="true"]'), [value]);
  return (
    <Base.Root value={value} onValueChange={(name: Name) => onChange(name)}>
      <Base.List ref={list} className={styles.list} aria-label={label}>
        {tabs.map(([name, text]) => (
          <Base.Tab key={name} value={name} className={styles.tab}>
            {text}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(([name, , content]) => (
        <Base.Panel key={name} value={name} className={styles.panel}>
          {name === value && content()}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
