/**
 * Adds clicks to the counters of their links, as a part of the statement that writes the clicks: `counted` has a row for
 * each link, with link_id, workspace_id, total, human and last. A link's counters begin with its first click; a click of a
 * link that does not exist is not counted. The link is looked up in a subquery of its own, which is by its key however many
 * links there are. All writers take the counters in the order of their links, so that none waits for another in a circle.
 */
export const addToLinkCounters = `
    INSERT INTO link_counters AS counter (link_id, workspace_id, total, human, last_clicked_at)
    SELECT link_id, workspace_id, total, human, last FROM counted
    WHERE (SELECT true FROM links WHERE links.id = counted.link_id)
    ORDER BY link_id
    ON CONFLICT (link_id) DO UPDATE
    SET total = counter.total + EXCLUDED.total,
        human = counter.human + EXCLUDED.human,
        last_clicked_at = GREATEST(counter.last_clicked_at, EXCLUDED.last_clicked_at)`
