import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { type IconName, Icon } from './icon';
import styles from './popup.module.css';

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Whether it is open when it appears. */
  defaultOpen?: boolean;
  children: ReactNode;
}

/** Commands behind a button. */
export const Menu = ({ trigger, defaultOpen, children }: MenuProps) => (
  <Base.Root defaultOpen={defaultOpen ?? false}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} align="end">
        <Base.Popup className={styles.menu}>{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

interface MenuItemProps {
  children: ReactNode;
  icon?: IconName;
  onClick?: () => void;
  /** A link instead of a command. */
  render?: ReactElement;
}

export const MenuItem = ({ children, icon, onClick, render }: MenuItemProps) => (
  <Base.Item className={styles.item} onClick={onClick} {...(render && { render })}>
    {icon && <Icon name={icon} />}
    {children}
  </Base.Item>
);

export const MenuSeparator = () => <Base.Separator className={styles.separator} />;

interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly (readonly [Value, string])[];
}

/** One of several values. */
export const MenuChoice = <Value extends string>({ label, value, onChange, options }: MenuChoiceProps<Value>) => (
  <Base.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
    <Base.Group>
      <Base.GroupLabel className={styles.label}>{label}</Base.GroupLabel>
      {options.map(([option, text]) => (
        <Base.RadioItem key={option} value={option} className={styles.item} closeOnClick>
          <Base.RadioItemIndicator keepMounted={false}>
            <Icon name="check" />
          </Base.RadioItemIndicator>
          {text}
        </Base.RadioItem>
      ))}
    </Base.Group>
  </Base.RadioGroup>
);
