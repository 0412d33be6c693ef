import { buttonClass } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Card, Row, Stack } from '../../ui/layout';
import { signInAddress } from '../../ui/problem';
import { accountWords } from './words';

const words = accountWords.again;

/** Sends the person to prove who they are; they come back to the same tab. */
export const SignInAgain = () => (
  <Card>
    <Stack gap="tight">
      <Row>
        <Icon name="lock" />
        <strong>{words.title}</strong>
      </Row>
      <p>{words.help}</p>
      <Row>
        <a className={buttonClass()} href={signInAddress({ again: true })}>
          {words.action}
        </a>
      </Row>
    </Stack>
  </Card>
);
