// npm run build
import { build, installMissing } from './prepare.mjs';

installMissing();
build();
