import { Link } from '@tanstack/react-router';
import { t } from '../../messages/text';
import { buttonClass } from '../../ui/button';
import { Empty } from '../../ui/problem';
import { Screen } from '../../ui/screen';

export const NotFoundScreen = () => (
  <Screen title={t.shell.notFound}>
    <Empty>
      <p>{t.shell.notFoundHelp}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t.shell.toHome}
      </Link>
    </Empty>
  </Screen>
);
