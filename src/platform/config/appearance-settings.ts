import { color, image, line, text } from './rules.js'
import { optional, setting } from './setting.js'
import type { Declarations } from './setting.js'

/** The appearance of the dashboard and of the error pages for visitors. */
export const appearanceSettings = {
  instanceName: setting(
    'INSTANCE_NAME',
    line(40),
    'Link Service',
    'Name of the installation, shown in the dashboard and on error pages for visitors.',
  ),
  instanceLogo: optional(
    'INSTANCE_LOGO',
    image,
    'Logo, shown in the dashboard and on error pages for visitors: the path of an SVG, PNG, JPEG, WebP or GIF file, or a `data:` or `https:` URL. Default: the icon of Link Service.',
  ),
  accent: optional(
    'ACCENT',
    color,
    'Color of buttons and links, such as `#0b5d3b`. To keep text readable, it is darkened in the light color scheme and lightened in the dark one if necessary. Default: blue.',
  ),
  pagesDir: optional(
    'PAGES_DIR',
    text,
    'Folder with your own error pages for visitors: `404.html`, `410.html` and `503.html`. If a file is missing, the built-in page is used.',
  ),
} satisfies Declarations
