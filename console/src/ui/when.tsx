import { age, date } from '../messages/text';

/** How long ago something was; the date and time as its title. */
export const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={date(at)}>
    {age(at)}
  </time>
);
