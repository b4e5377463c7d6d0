/** The filters of the list of links, which are part of the URL. */
import type { QueryOf } from '@link-service/client'
import { useId, useState } from 'preact/hooks'

import { listTags } from '../../api/many-links.js'
import { plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { getQueryParameter, place, setQuery } from '../../app/router.js'
import { Search, Select } from '../../components/form.js'
import { ListControls } from '../../lists/list-controls.js'
import { linkColumns, linkListName } from './link-columns.js'

type LinkFilterValues = Pick<QueryOf<'listLinks'>, 'q' | 'tag' | 'enabled' | 'sort'>

const names = ['q', 'tag', 'enabled', 'sort'] as const

export function linkFiltersFromUrl(): LinkFilterValues {
  const entries = names.map((name) => [name, place.value.query.get(name)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value))
}

export function LinkFilters() {
  const tagList = useId()
  // Counting tags is slow with a million links, so load the tags only when their field gets the focus.
  const [wantsTags, setWantsTags] = useState(false)
  const tags = useResource(wantsTags ? 'tags' : null, listTags)
  const tag = getQueryParameter('tag')
  return (
    <div class="filters">
      <Search
        label="Search slug, URL or title"
        value={getQueryParameter('q')}
        onSearch={(q) => setQuery({ q }, { replace: true })}
      />
      <input
        key={tag}
        list={tagList}
        aria-label="Tag"
        placeholder="Any tag"
        size={12}
        defaultValue={tag}
        onFocus={() => setWantsTags(true)}
        onChange={(event) => setQuery({ tag: event.currentTarget.value.trim() })}
      />
      <datalist id={tagList}>
        {(tags.data ?? []).map(({ tag: name, links }) => (
          <option key={name} value={name}>
            {plural(links, 'link')}
          </option>
        ))}
      </datalist>
      <Select
        label="Status"
        value={getQueryParameter('enabled')}
        options={[
          ['', 'Any status'],
          ['true', 'Enabled'],
          ['false', 'Disabled'],
        ]}
        onPick={(enabled) => setQuery({ enabled })}
      />
      <ListControls name={linkListName} columns={linkColumns} />
    </div>
  )
}
