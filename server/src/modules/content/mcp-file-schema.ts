import { mcpConfigSchema } from '@knowhow/shared/config/mcp-config';
import { findTexts } from '../../platform/lib/locales.ts';

/** `contents/config/mcp.json`. No server has the name of a built-in tool. */
export const mcpFileSchema = mcpConfigSchema(Object.keys(findTexts('en').tools));
