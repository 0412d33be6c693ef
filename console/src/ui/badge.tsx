import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { type IconName, Icon } from './icon';
import { classes } from './layout';

export type Tone = 'good' | 'bad' | 'warn' | 'accent';

interface BadgeProps {
  children: ReactNode;
  tone?: Tone;
  /** So that the tone is not said by its colour alone. */
  icon?: IconName;
}

/** A short word about something. */
export const Badge = ({ children, tone, icon }: BadgeProps) => (
  <span className={classes(styles.badge, tone && styles[tone])}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);
