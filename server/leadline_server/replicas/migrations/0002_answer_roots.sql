-- The roots that a result is about: who may not see one of them any more gets an error. Results from before have none.
alter table leadline.answer add column roots text[] not null default '{}';
update leadline.answer set items = null, frame = null where items is not null;
