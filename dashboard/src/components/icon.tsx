/** Decorative icons, hidden from screen readers. */
const paths = {
  overview: 'M2.5 13.5V9M6.2 13.5V3M9.8 13.5V6.5M13.5 13.5V8',
  links:
    'M6.5 9.5a2.6 2.6 0 0 0 3.7 0l2.3-2.3a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.5 6.5a2.6 2.6 0 0 0-3.7 0L3.5 8.8a2.6 2.6 0 0 0 3.7 3.7l.8-.8',
  webhooks: 'M14 2 7.5 8.5M14 2 9.8 14 7.5 8.5 2 6.2z',
  events: 'M1.5 8h3l2-5 3 10 2-5h3',
  tokens: 'M5.2 13.6a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM7.3 8.8l6.2-6.3M10.8 5.2l2 2',
  notices: 'M4 11.5V7a4 4 0 0 1 8 0v4.5M2.5 11.5h11M6.8 14h2.4',
  audit: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.4',
  service: 'M2 5h6M12 5h2M2 11h2M8 11h6M10 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  import: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
  export: 'M8 10.5V3M4.8 6 8 2.8 11.2 6M2.5 13.5h11',
  leave: 'M6.5 13.5h-4v-11h4M10 4.5 13.5 8 10 11.5M13.5 8h-8',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.4v3.4M8 5.1v.1',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  done: 'M3 8.5l3.2 3.2L13 4.8',
  remove: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  system: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3',
  light:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  dark: 'M13.5 9.3A5.7 5.7 0 0 1 6.7 2.5 5.7 5.7 0 1 0 13.5 9.3z',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
