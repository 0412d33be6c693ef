import { t } from '../../messages/text';
import { Screen } from '../../ui/screen';

export const AccountScreen = () => <Screen title={t.account.title}>{null}</Screen>;
