import { catalogue } from './en/catalogue';
import { home } from './en/home';
import { requests } from './en/requests';
import { shell } from './en/shell';
import { ui } from './en/ui';

/** The text in English that the first screen loads; the other screens bring theirs. A text with values is a function of them. */
export const en = { ui, shell, home, catalogue, requests };
