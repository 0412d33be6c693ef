import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { type IconName, Icon } from './icon';
import styles from './button.module.css';
import { classes } from './layout';

export type ButtonLook = 'primary' | 'danger' | 'plain';

/** The class of a link that looks like a button. */
export const buttonClass = (look?: ButtonLook): string => classes(styles.button, look && styles[look]);

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  icon?: IconName;
  /** While something is under way: it cannot be pressed again, and keeps the focus. */
  busy?: boolean;
  children?: ReactNode;
}

export function Button({ look, icon, busy, children, onClick, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(buttonClass(look), children === undefined && styles.icon, className)}
      aria-disabled={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
